import { defineConfig, mergeConfig } from 'vitest/config'
import { FileOrder } from './tests/support/fileOrder.ts'
import viteConfig from './vite.config.ts'

const packageSources = `${import.meta.dirname}/packages/uptick/src/`

export default mergeConfig(
  viteConfig,
  defineConfig({
    // The package from its sources, by the names that others import.
    resolve: {
      alias: [
        { find: /^uptick$/, replacement: `${packageSources}index.ts` },
        { find: /^uptick\/(\w+)$/, replacement: `${packageSources}$1.ts` },
      ],
    },
    test: {
      include: ['tests/{contract,streams,src,office,server,package}/**/*.test.{ts,tsx}'],
      environment: 'node',
      // Uses all cores, in threads: Vitest's default leaves one idle and starts a process for each file.
      pool: 'threads',
      maxWorkers: 3,
      // Loading the packages again for each file took longer than most files' tests.
      isolate: false,
      setupFiles: ['tests/support/fileCost.ts', 'tests/support/freshModules.ts'],
      // What fails, which tests were left out or passed only when run again, and a summary.
      reporters: ['minimal', 'tests/support/unusualTests.ts', 'tests/support/costReporter.ts'],
      sequence: { sequencer: FileOrder },
      // In CI a test that fails runs once more. One that then passes is named: a defect to mend, but no reason to refuse a change.
      retry: process.env['CI'] === undefined ? 0 : 1,
      // Safety nets, which no test replaces by its own: on a busy machine anything takes many times as long.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 120_000 } },
    },
  }),
)
