// Dark or light: what the system says, or what the person chose here.

import { signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const KEY = 'starbind.theme'

export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(KEY)) ?? 'system')

theme.subscribe((chosen) => {
  localStorage.setItem(KEY, chosen)
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
})
