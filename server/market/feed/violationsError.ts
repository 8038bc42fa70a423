/** Settings that are invalid: one line per violation. */
export class ViolationsError extends Error {
  readonly violations: readonly string[]

  constructor(name: string, violations: readonly string[]) {
    super(violations.join('\n'))
    this.name = name
    this.violations = violations
  }
}
