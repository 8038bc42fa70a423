import * as z from 'zod/mini'
import type { NoticesSettings } from '../notices/settings.ts'
import { headerKey } from '../platform/settingSchemas.ts'

/** The variable about metrics. */
export const checksEnvironment = z.object({ METRICS_KEY: headerKey })

type OwnSettings = {
  /** Gives access to the metrics only; null if only the desk key does. */
  metricsKey: string | null
}
export type ChecksSettings = NoticesSettings & OwnSettings

export const readChecksSettings = (values: z.infer<typeof checksEnvironment>): OwnSettings => ({
  metricsKey: values.METRICS_KEY ?? null,
})
