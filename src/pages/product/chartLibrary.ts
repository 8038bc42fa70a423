import type { ChartFactory } from '../../chart/port.ts'
import { createLazy } from '../../lazy/lazy.ts'

/** The chart library is a separate chunk, loaded when the first chart is shown. */
export const chartLibrary = createLazy<ChartFactory>(
  () => import('../../chart/lightweight.ts').then((module) => module.createLightweightChart),
  { name: 'chart' },
)
