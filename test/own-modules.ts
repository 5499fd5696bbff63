// Several test files share a process, and with it the modules of `dist/`. What stands in `test/` each of them has anew:
// a module there may open what its file needs and close it in a hook of its own.

import { vi } from 'vitest'

vi.resetModules()
