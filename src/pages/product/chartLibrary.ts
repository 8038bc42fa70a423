import type { ChartFactory } from '../../chart/port.ts'
import { createResource } from '../../resource/resource.ts'

/** The chart library is a separate chunk, loaded when the first chart is shown. */
export const chartLibrary = createResource<ChartFactory>(
  () => import('../../chart/lightweight.ts').then((module) => module.createLightweightChart),
  { name: 'chart' },
)
