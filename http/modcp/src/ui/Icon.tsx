/** Line icons on a 24 by 24 grid, drawn here so that the panel loads no icon set. */
const paths = {
  inbox: 'M3 13h5l1.5 3h5L16 13h5M3 13l3-8h12l3 8v6H3z',
  chart: 'M4 20V4M4 20h16M8 16v-4M12.5 16V8M17 16v-6',
  gear: 'M10.2 5.3L10.4 2.8L13.6 2.8L13.8 5.3L15.4 6L17.4 4.4L19.6 6.6L18 8.6L18.7 10.2L21.2 10.4L21.2 13.6L18.7 13.8L18 15.4L19.6 17.4L17.4 19.6L15.4 18L13.8 18.7L13.6 21.2L10.4 21.2L10.2 18.7L8.6 18L6.6 19.6L4.4 17.4L6 15.4L5.3 13.8L2.8 13.6L2.8 10.4L5.3 10.2L6 8.6L4.4 6.6L6.6 4.4L8.6 6zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  filter: 'M3 5h18M6.5 12h11M10 19h4',
  bookmark: 'M6 4h12v16l-6-4-6 4z',
  check: 'M5 12.500l4.5 4.500L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  chevronDown: 'M6 9l6 6 6-6',
  chevronLeft: 'M15 5l-7 7 7 7',
  chevronRight: 'M9 5l7 7-7 7',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.8 3.8-6 7.5-6s6.7 2.2 7.5 6',
  users: 'M9 11.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.500c.6-3.4 3.2-5.3 6.5-5.300s5.9 1.9 6.5 5.300M16 4.800a3.5 3.5 0 0 1 0 6.500M18 14.600c2 .8 3.2 2.5 3.6 4.9',
  hand: 'M8 12V6.500a1.5 1.5 0 0 1 3 0V11M11 10.500v-5a1.5 1.5 0 0 1 3 0v5.500M14 11V7a1.5 1.5 0 0 1 3 0v7c0 4-2.3 6.5-5.7 6.5-2.8 0-4.3-1.3-5.6-3.600l-2-3.700c-.4-.8-.1-1.6.6-1.9.7-.4 1.4-.1 1.9.6L8 14',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  eyeOff: 'M4 4l16 16M9.5 5.900c.8-.3 1.6-.4 2.5-.4 6 0 9.5 6.5 9.5 6.500a16 16 0 0 1-2.7 3.400M6.2 7.400A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.500c1.7 0 3.2-.5 4.5-1.200M10 10a3 3 0 0 0 4.1 4.2',
  flag: 'M6 21V4M6 4.500h11l-2 4 2 4H6',
  note: 'M5 4h14v11l-5 5H5zM14 20v-5h5M8.5 8.500h7M8.5 12h4',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  clock: 'M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7v5l3.5 2',
  history: 'M4 12a8 8 0 1 1 2.6 5.900M4 12V7M4 12h4.500M12 8v4.500l3 1.5',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.700l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.700l1-1',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  warning: 'M12 4L2.5 20h19zM12 10v4.500M12 17.200v.1',
  info: 'M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 11v5M12 8v.1',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.600L7 7M17 17l1.4 1.400M18.4 5.600L17 7M7 17l-1.4 1.4',
  moon: 'M19.5 14.500A8 8 0 0 1 9.5 4.500a8 8 0 1 0 10 10z',
  keyboard: 'M3 6h18v12H3zM7 10h.1M10.5 10h.1M14 10h.1M17.5 10h.1M8 14h8',
  layers: 'M12 3.5l8.5 4.5-8.5 4.5L3.5 8zM3.5 12.2l8.5 4.5 8.5-4.5M3.5 16.4l8.5 4.5 8.5-4.5',
  monitor: 'M3 5h18v11H3zM12 16v4M8 20h8',
  signOut: 'M10 4H5v16h5M15.5 8l4 4-4 4M19.5 12H10',
  globe: 'M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM3.5 12h17M12 3.500c2.5 2.3 3.7 5.2 3.7 8.500s-1.2 6.2-3.7 8.500c-2.5-2.3-3.7-5.2-3.7-8.500S9.5 5.8 12 3.500z',
  dots: 'M5 12h.1M12 12h.1M19 12h.1',
  plus: 'M12 5v14M5 12h14',
  trash: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5',
  pencil: 'M4 20l1-4.500L16 4.500l3.5 3.500L8.5 19zM14 6.500l3.5 3.5',
  play: 'M7 5l11 7-11 7z',
  refresh: 'M20 11a8 8 0 0 0-14.5-3.500L4 9M4 4v5h5M4 13a8 8 0 0 0 14.5 3.500L20 15M20 20v-5h-5',
  bolt: 'M13 3L5 13.500h6L10 21l8-10.500h-6z',
  forum: 'M4 5h12v8H9l-3 3v-3H4zM19 9h1v8h-2v3l-3-3h-5v-1',
  undo: 'M8 5L4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.5 8.500h.1',
  book: 'M12 6.500c-2-1.500-4.500-2-8-2v13c3.500 0 6 .5 8 2 2-1.500 4.500-2 8-2v-13c-3.500 0-6 .5-8 2zM12 6.500v13',
  scales: 'M12 4v16M8 20h8M5 7h14M5 7l-2.500 6a2.800 2.800 0 0 0 5 0zM19 7l-2.500 6a2.800 2.800 0 0 0 5 0z',
  shield: 'M12 3l7.5 3v5.500c0 4.5-3 7.8-7.5 9.5-4.5-1.7-7.5-5-7.5-9.500V6z',
} as const;

export type IconName = keyof typeof paths;

/** Icons that point along the line of reading are mirrored in right-to-left text. */
const directional = new Set<IconName>(['chevronLeft', 'chevronRight', 'undo', 'external', 'signOut']);

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      className={directional.has(name) ? 'icon-directional' : undefined}
      style={{ flex: 'none' }}
    >
      <path d={paths[name]} />
    </svg>
  );
}
