import { Suspense, useEffect, useState, type ComponentProps, type ReactElement, type ReactNode } from 'react';

/** Makes the button, with what is added to it. */
export type MakeButton = (props: Pick<ComponentProps<'button'>, 'onClick' | 'autoFocus' | 'aria-haspopup' | 'aria-expanded'>) => ReactElement;

interface Props {
  opens: 'menu' | 'dialog';
  button: MakeButton;
  /** The same button with what it opens, a component of its own that is loaded lazily. */
  children: (button: MakeButton) => ReactNode;
}

/** Shows a button alone until it is pressed, because what opens menus is a third of Mantine's code. */
export function WhenPressed({ opens, button, children }: Props) {
  const [pressed, setPressed] = useState(false);
  const alone = button({ onClick: () => setPressed(true), 'aria-haspopup': opens, 'aria-expanded': false });
  return pressed ? <Suspense fallback={alone}>{children((props) => button({ ...props, autoFocus: true }))}</Suspense> : alone;
}

/** Opens what was pressed for once its button is there, where the focus comes back to. */
export function useOpened(): [opened: boolean, setOpened: (opened: boolean) => void] {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    setOpened(true);
  }, []);
  return [opened, setOpened];
}
