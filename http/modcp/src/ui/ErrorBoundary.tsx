import { Component, type ReactNode } from 'react';
import { ErrorFallback } from './ErrorFallback';

/** Catches what a screen throws, so that one broken part never leaves a blank page. */
export class ErrorBoundary extends Component<{ children: ReactNode; resetKey?: string }, { broken: boolean; key?: string }> {
  override state: { broken: boolean; key?: string } = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  static getDerivedStateFromProps(props: { resetKey?: string }, state: { key?: string }) {
    return props.resetKey === state.key ? null : { broken: false, key: props.resetKey };
  }

  override render() {
    return this.state.broken ? <ErrorFallback /> : this.props.children;
  }
}
