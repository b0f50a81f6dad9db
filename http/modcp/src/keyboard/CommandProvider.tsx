import { createContext, use, useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';

export interface Command {
  id: string;
  title: string;
  hint?: string;
  run: () => void;
}

interface Registry {
  add: (commands: { current: Command[] }) => () => void;
  all: () => Command[];
}

const CommandContext = createContext<Registry>({ add: () => () => {}, all: () => [] });

/** Collects the commands of the palette: the shell's and those of the open screen. */
export function CommandProvider({ children }: { children: ReactNode }) {
  const layers = useRef<{ current: Command[] }[]>([]);
  const add = useCallback((commands: { current: Command[] }) => {
    layers.current = [commands, ...layers.current];
    return () => {
      layers.current = layers.current.filter((layer) => layer !== commands);
    };
  }, []);
  const all = useCallback(() => layers.current.flatMap((layer) => layer.current), []);
  const value = useMemo(() => ({ add, all }), [add, all]);
  return <CommandContext value={value}>{children}</CommandContext>;
}

export function useCommands(commands: Command[]): void {
  const { add } = use(CommandContext);
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    return add(latest);
  }, [add]);
}

export function useAllCommands(): () => Command[] {
  return use(CommandContext).all;
}
