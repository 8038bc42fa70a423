import { SettingsError } from '../../platform/settingsError.ts'
import { DataDirLockedError } from '../../platform/db/lock.ts'
import { SchemaMismatchError } from '../../platform/db/migrate.ts'
import { BackupError } from './backupError.ts'

/** The arguments of a command cannot be used. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const operatorErrors = [UsageError, BackupError, SettingsError, DataDirLockedError, SchemaMismatchError]
const failedExitCode = 2

/**
 * Runs a command of operators on the venue's database with the arguments typed. What an operator can mend becomes one line
 * and exit code 2; any other error is thrown.
 * @param run returns the exit code
 */
export async function runOperatorCommand(
  name: string,
  run: (args: readonly string[]) => Promise<number>,
): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof Error) || !operatorErrors.some((type) => error instanceof type)) throw error
    process.stderr.write(`${name}: ${error.message.replaceAll(/\s+/g, ' ')}\n`)
    process.exitCode = failedExitCode
  }
}
