import { SettingsError } from '../platform/settingsError.ts'

/** The options of `npm start` for this start alone. */
export type StartOptions = {
  /** Open orders whose price source changed get their stakes back; otherwise there is no start. */
  refundChangedSources?: boolean
  /** This start may have another desk key than the starts before it. */
  newDeskKey?: boolean
}

const options: Readonly<Record<string, StartOptions>> = {
  '--refund-changed-sources': { refundChangedSources: true },
  '--new-desk-key': { newDeskKey: true },
}

/**
 * Reads the arguments of `npm start`.
 * @throws SettingsError with one line for one that there is not
 */
export function readStartOptions(args: readonly string[]): StartOptions {
  const unknown = args.find((arg) => !Object.hasOwn(options, arg))
  if (unknown === undefined) return Object.assign({}, ...args.map((arg) => options[arg]))
  throw new SettingsError(
    `there is no option ${unknown}: a start takes ${Object.keys(options).join(' and ')}`,
  )
}
