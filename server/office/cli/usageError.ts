/** The command line is invalid, or no venue answers: exit code 2, with a one-line message. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
