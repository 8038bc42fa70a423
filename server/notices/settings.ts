import * as z from 'zod/mini'
import { refined, wholeNumber } from '../platform/settingSchemas.ts'
import type { PlatformSettings } from '../platform/settings.ts'
import { parsePushServices } from '../platform/settingValues.ts'

/** The variable about notifications. */
export const noticesEnvironment = z.object({
  PUSH_SERVICES: z.optional(
    refined('must be names of hosts, divided by commas', (value) => parsePushServices(value) !== null),
  ),
})

/** The fields of CONFIG_FILE about photos and the log of what the staff does. */
export const noticesConfig = z.object({
  /** How many members' records one of the staff opens in an hour without a claim on a request of theirs. */
  recordsPerHour: z._default(wholeNumber(1, 1_000_000), 60),
  /** Photos are not accepted while the disk of the data folder has less free: megabytes. */
  diskFreeMinMb: z._default(wholeNumber(0, 1_000_000_000), 512),
})
export type NoticesConfig = z.infer<typeof noticesConfig>

export type NoticesSettings = PlatformSettings & {
  /** Push services beside those of browsers. */
  pushServices: readonly string[]
  /** If the data folder's disk has fewer free bytes, photos are not accepted. */
  uploadsFreeMinBytes: number
  operatorConfig: NoticesConfig
}

const megabyte = 1024 * 1024

export const readNoticesSettings = (
  values: z.infer<typeof noticesEnvironment>,
  config: NoticesConfig,
): Omit<NoticesSettings, keyof PlatformSettings> => ({
  pushServices: parsePushServices(values.PUSH_SERVICES ?? '') ?? [],
  uploadsFreeMinBytes: config.diskFreeMinMb * megabyte,
})
