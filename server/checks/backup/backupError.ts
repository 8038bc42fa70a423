/** The command cannot be carried out: exit code 2, with a one-line message. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
