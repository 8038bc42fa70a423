import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** After the test if one runs (`beforeEach` is a part of it), otherwise after the file or the `describe` that awaits it. */
export const closeAfter = (close: () => Promise<void> | void): void =>
  TestRunner.getCurrentTest() === undefined ? afterAll(close) : onTestFinished(close)
