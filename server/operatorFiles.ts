import { checkLogo } from './branding/brandedFiles.ts'
import type { Settings } from './config.ts'
import { readPages } from './content/seeds.ts'
import { templateContexts, templatePartsOf } from './content/templateContext.ts'

/**
 * Reads the files that CONFIG_FILE names, before anything is written.
 * @throws SettingsError if one of them cannot be used
 */
export async function checkOperatorFiles(settings: Settings): Promise<void> {
  const { logo, pages } = settings.operatorConfig
  if (logo !== undefined) await checkLogo(logo)
  if (pages !== undefined) await readPages(templateContexts(templatePartsOf(settings)), pages)
}
