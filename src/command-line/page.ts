// The page as the commands serve it.

import type { CodeMode, Configuration, Log, ModelConfig } from '../index.js'
import { Page } from '../page/index.js'

export function pageFor(
  codeMode: CodeMode,
  { configuration, models, log }: { configuration: Configuration; models: readonly ModelConfig[]; log: Log },
): Page {
  return new Page(codeMode, { models, language: configuration.language, log })
}
