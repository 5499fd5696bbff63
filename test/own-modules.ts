// Several test files share a process, and with it the modules of `dist/`. Modules of `test/` are loaded anew for each
// file, so they may open resources and close them in a hook.

import { vi } from 'vitest'

vi.resetModules()
