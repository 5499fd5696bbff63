// Pictures of 16 × 16 points, drawn with lines.

const paths = {
  runs: 'M2 3.5h6M5 8h8M3.5 12.5h6',
  approvals: 'M8 1.8 13.5 4v4c0 3.2-2.3 5.3-5.5 6.2C4.8 13.3 2.5 11.2 2.5 8V4zM5.6 8.1l1.7 1.7 3.2-3.4',
  servers: 'M2.5 2.5h11v4.3h-11zM2.5 9.2h11v4.3h-11zM5 4.65h.01M5 11.350h.01',
  programs: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  chat: 'M2.5 3h11v8H8l-3 2.7V11H2.5z',
  tokens: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 2v6l4.2 4.2',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  close: 'm4 4 8 8m0-8-8 8',
  attach: 'm13 7.5-5 5a3 3 0 0 1-4.3-4.3l5.5-5.5a2 2 0 0 1 2.9 2.9l-5.4 5.4a1 1 0 0 1-1.5-1.4l4.7-4.7',
} as const

type IconName = keyof typeof paths

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
)
