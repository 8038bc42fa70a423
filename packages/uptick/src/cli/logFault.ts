/** What is wrong with a public log, and where: a tile by its path, a leaf by its number from 0 on. */
export class LogFaultError extends Error {
  override readonly name = 'LogFaultError'
  readonly found: { tile?: string; leaf?: number; why: string } & Record<string, unknown>
  constructor(found: LogFaultError['found']) {
    super(found.why)
    this.found = found
  }
}
