import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import unitConfig from '../../vitest.config.ts'

const root = `${import.meta.dirname}/../..`

/** Files of the system tests with the settings of the unit tests; in one run projects come one after another, in this order. */
const project = (groupOrder: number, name: string, test: ViteUserConfig['test']): ViteUserConfig => {
  const { reporters: _ofTheRun, ...settings } = unitConfig.test ?? {}
  return { ...unitConfig, root, test: { ...settings, name, sequence: { groupOrder }, ...test } }
}

/**
 * `npm run test:system`: what starts processes, ends them, has several nodes, or takes many seconds of processor time.
 * Files beside the unit tests run side by side, on all cores. Those of this folder run one at a time, because each has several
 * nodes, and beside all others: a run of their own after them would leave a core idle, for most of their time is waiting.
 */
export default mergeConfig(
  { test: { reporters: unitConfig.test?.reporters } },
  defineConfig({
    root,
    test: {
      passWithNoTests: true,
      projects: [
        project(0, 'beside', {
          include: ['tests/{contract,streams,src,office,server,package}/**/*.system.{ts,tsx}'],
        }),
        project(1, 'alone', { include: ['tests/system/**/*.system.ts'], fileParallelism: false }),
      ],
    },
  }),
)
