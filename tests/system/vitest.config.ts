import { defineConfig, mergeConfig } from 'vitest/config'
import unitConfig from '../../vitest.config.ts'

const config = mergeConfig(
  unitConfig,
  defineConfig({
    root: `${import.meta.dirname}/../..`,
    test: { fileParallelism: false, passWithNoTests: true },
  }),
)

/** `npm run test:system`: what starts several processes, ends them, or needs databases of its own. One file at a time. */
export default { ...config, test: { ...config.test, include: ['tests/system/**/*.system.ts'] } }
