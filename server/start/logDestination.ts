import { mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodeOf } from '../platform/errorCode.ts'
import { SettingsError } from '../platform/settingsError.ts'
import { pino, type DestinationStream } from 'pino'

type Outputs = { stdout: { isTTY?: boolean | undefined }; stderr: { isTTY?: boolean | undefined } }

const fileBytesMax = 16 * 1024 * 1024

/**
 * Where the log goes: to stdout, or, if that is a terminal, which shows plain lines, to stderr; if that is the terminal too, to
 * a file of the data folder; a start puts a long one aside, as `venue.log.1`.
 * @throws SettingsError if the data folder cannot be written
 */
export function logDestination(
  dataDir: string,
  { stdout, stderr }: Outputs,
): { stream: DestinationStream; file: string | null } {
  if (stdout.isTTY !== true) return { stream: pino.destination(1), file: null }
  if (stderr.isTTY !== true) return { stream: pino.destination(2), file: null }
  const file = join(dataDir, 'venue.log')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > fileBytesMax) renameSync(file, `${file}.1`)
    return { stream: pino.destination({ dest: file, mode: 0o600, sync: true }), file }
  } catch (error) {
    throw new SettingsError(`the log ${file} cannot be written (${errorCodeOf(error)}): see DATA_DIR`)
  }
}
