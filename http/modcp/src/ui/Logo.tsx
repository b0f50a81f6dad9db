/** The mark and the name. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 9, color: 'var(--d-text)' }}>
      <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" fill="#3d4fd1" />
        <path d="M10 8h8.5A5.5 5.5 0 0 1 24 13.5v5a5.5 5.5 0 0 1-5.5 5.5H10z" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinejoin="round" />
        <path d="M14 16.2l2.2 2.2 3.8-4.3" fill="none" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <span style={{ fontWeight: 700, fontSize: 16, letterSpacing: '-0.01em' }}>Docket</span>
    </span>
  );
}
