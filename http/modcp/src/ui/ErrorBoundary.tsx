import { Component, type ReactNode } from 'react';
import { ErrorFallback } from './ErrorFallback';

/** Catches what a screen throws, so that one broken part never leaves a blank page. */
export class ErrorBoundary extends Component<{ children: ReactNode; resetKey?: string }, { error: unknown; key?: string }> {
  override state: { error: unknown; key?: string } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps(props: { resetKey?: string }, state: { error: unknown; key?: string }) {
    return props.resetKey === state.key ? null : { error: null, key: props.resetKey };
  }

  override render() {
    if (this.state.error !== null) {
      return <ErrorFallback error={this.state.error} reset={() => this.setState({ error: null })} />;
    }
    return this.props.children;
  }
}
