// The page as the commands serve it.

import type { CodeMode, Configuration, ModelConfig } from '../index.js'
import { Page } from '../page/index.js'

interface PageGiven {
  readonly configuration: Configuration
  readonly models: readonly ModelConfig[]
  readonly file: string | undefined
}

export function pageFor(codeMode: CodeMode, { configuration, models, file }: PageGiven): Page {
  const { language, programs } = configuration
  return new Page(codeMode, {
    models,
    language,
    configurationFile: file,
    programs: programs === false ? undefined : programs,
  })
}
