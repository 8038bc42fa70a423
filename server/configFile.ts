import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseJsonFile } from '../contract/fileText.ts'
import { colourProblem } from './branding/themeColours.ts'
import type { FormerField } from './formerSettings.ts'
import { operatorConfig } from './operatorConfig.ts'
import type { OperatorConfig } from './operatorConfig.ts'
import { describeIssues } from './schemaIssues.ts'
import { SettingsError } from './settingsError.ts'
import { whyNotJson } from './textFile.ts'

/**
 * Reads the operator's CONFIG_FILE, and into it the fields that former variables give.
 * @throws SettingsError with one line that names the file, or the variable
 */
export function readConfigFile(file: string, formerFields: readonly FormerField[]): OperatorConfig {
  const where = `CONFIG_FILE ${file}`
  let json = readJson(file)
  let parsed = parse(json, where)
  for (const { name, path, value } of formerFields) {
    const field = path.join('.')
    const stored = valueAt(json, path)
    if (stored !== undefined && !isDeepStrictEqual(stored, value))
      throw new SettingsError(`${name} and ${field} of ${where} differ: leave ${name} out`)
    json = withValueAt(json, path, value)
    parsed = parse(json, name)
  }
  const { colours, logo, pages, practice, ...config } = parsed
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

const isObject = (json: unknown): json is Record<string, unknown> => typeof json === 'object' && json !== null

function valueAt(json: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return json
  return isObject(json) ? valueAt(json[first], rest) : undefined
}

function withValueAt(json: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value
  const object = isObject(json) ? json : {}
  return { ...object, [first]: withValueAt(object[first], rest, value) }
}
