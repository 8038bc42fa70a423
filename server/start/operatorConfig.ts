import * as z from 'zod/mini'
import { countryNames } from '../../contract/venueConfig.ts'
import { marketConfig, marketPractice } from '../market/settings.ts'
import { membersConfig, membersPractice } from '../members/settings.ts'
import { moneyConfig, moneyPractice } from '../money/settings.ts'
import { noticesConfig } from '../notices/settings.ts'
import { officeConfig, officePractice } from '../office/settings.ts'
import { platformConfig } from '../platform/settings.ts'
import { webAddress } from '../platform/settingSchemas.ts'

/** The part of CONFIG_FILE that live mode has no use for. */
export const practiceConfig = z.strictObject({
  ...membersPractice.shape,
  ...moneyPractice.shape,
  ...officePractice.shape,
  ...marketPractice.shape,
})

/**
 * The operator's CONFIG_FILE: the combined schema of what each area reads from it; deploy/config.schema.json is made
 * from it. A field that the file leaves out has its default; one that no area lists is rejected.
 */
export const operatorConfig = z.strictObject({
  /** For editors: where the JSON schema is. */
  $schema: z.optional(z.string()),
  ...platformConfig.shape,
  ...officeConfig.shape,
  /** URL of an external customer service page; null uses the built-in one. */
  serviceUrl: z._default(z.nullable(webAddress), null),
  /** Names of countries and regions that replace Unicode's short names, by country code and language. */
  countryNames: z._default(countryNames, {}),
  ...membersConfig.shape,
  ...moneyConfig.shape,
  ...noticesConfig.shape,
  ...marketConfig.shape,
  practice: z.prefault(practiceConfig, {}),
})
export type OperatorConfig = z.infer<typeof operatorConfig>
