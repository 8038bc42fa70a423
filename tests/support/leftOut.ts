import type { Reporter, TestModule } from 'vitest/node'

/** Names the tests that were left out, such as those that need a database which is not there: a quiet reporter does not. */
export default class LeftOut implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      const [first, ...more] = module.children.allTests('skipped')
      if (first === undefined) continue
      const others = more.length === 0 ? '' : ` and ${more.length} more`
      process.stdout.write(`left out: ${module.relativeModuleId}: ${first.fullName}${others}\n`)
    }
  }
}
