import { afterPaint } from '../../start/afterPaint.ts'
import type { ChartFactory } from '../../chart/port.ts'
import { createLazy } from '../../start/lazy.ts'

/** The chart library is a separate chunk, loaded when the first chart is shown: the rest of its page is painted before. */
export const chartLibrary = createLazy<ChartFactory>(
  async () => {
    await afterPaint()
    return (await import('../../chart/lightweight.ts')).createLightweightChart
  },
  { name: 'chart' },
)
