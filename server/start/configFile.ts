import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseJsonFile } from '../../contract/fileText.ts'
import { colourProblem } from '../office/settings.ts'
import { operatorConfig, type OperatorConfig } from './operatorConfig.ts'
import { describeIssues } from '../platform/schemaIssues.ts'
import { SettingsError } from '../platform/settingsError.ts'
import { whyNotJson } from '../platform/textFile.ts'

/**
 * Reads the operator's CONFIG_FILE.
 * @throws SettingsError with one line that names the file
 */
export function readConfigFile(file: string): OperatorConfig {
  const where = `CONFIG_FILE ${file}`
  const { colours, logo, pages, practice, ...config } = parse(readJson(file), where)
  const problem = colourProblem(colours)
  if (problem !== null) throw new SettingsError(`${where}: ${problem}`)
  // Files are named from where the file is.
  const beside = (path: string): string => resolve(dirname(file), path)
  const { recordings } = practice
  return {
    ...config,
    colours,
    practice: { ...practice, ...(recordings !== undefined && { recordings: beside(recordings) }) },
    ...(logo !== undefined && { logo: beside(logo) }),
    ...(pages !== undefined && { pages: beside(pages) }),
  }
}

function readJson(file: string): unknown {
  try {
    return parseJsonFile(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new SettingsError(`CONFIG_FILE ${file} ${whyNotJson(error)}`)
  }
}

function parse(json: unknown, where: string): OperatorConfig {
  const parsed = operatorConfig.safeParse(json, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new SettingsError(`${where}: ${describeIssues(operatorConfig, parsed.error.issues).join('; ')}`)
}
