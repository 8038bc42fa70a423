import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Names the tests that were left out, such as those that need a database which is not there, and those that passed only
 * when they ran again: a quiet reporter does not.
 */
export default class UnusualTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      print('left out', module, [...module.children.allTests('skipped')])
      const passed = [...module.children.allTests('passed')]
      print(
        'passed only when run again',
        module,
        passed.filter((test) => test.diagnostic()?.flaky),
      )
    }
  }
}

function print(what: string, module: TestModule, [first, ...more]: TestCase[]): void {
  if (first === undefined) return
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  process.stdout.write(`${what}: ${module.relativeModuleId}: ${first.fullName}${others}\n`)
}
