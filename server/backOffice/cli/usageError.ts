/** What was typed cannot be a command, or there is nobody to give it to: exit code 2, with one line about it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
