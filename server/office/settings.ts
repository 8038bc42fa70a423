import * as z from 'zod/mini'
import { languages } from '../../contract/constants.ts'
import type { MarketConfig } from '../market/settings.ts'
import type { MembersConfig, MembersSettings } from '../members/settings.ts'
import type { MoneyConfig, MoneySettings } from '../money/settings.ts'
import { headerKey, nonEmptyPath, oneOf, shortLine, threshold } from '../platform/settingSchemas.ts'
import type { Mode } from '../platform/settings.ts'
import type { NoticesConfig } from '../notices/settings.ts'
import { themeColours } from './branding/themeColours.ts'

export { colourProblem } from './branding/themeColours.ts'

/** The variables about the desk. */
export const officeEnvironment = z.object({
  DESK_KEY: headerKey,
  DESK_REMOTE: z._default(oneOf(['0', '1']), '0'),
})

/** The fields of CONFIG_FILE about the venue's look and texts, and what takes two persons. */
export const officeConfig = z.object({
  /** A PNG file, square, that replaces the logo and the icons; beside this file, or an absolute path. */
  logo: z.optional(nonEmptyPath),
  /** Colours that replace those of the app, by theme. */
  colours: z._default(z.strictObject({ light: themeColours, dark: themeColours }), { light: {}, dark: {} }),
  /** When customer service answers, by language. */
  serviceHours: z._default(z.partialRecord(z.enum(languages), shortLine(200)), {}),
  /**
   * A folder of standing pages that replace those of the build: `about`, `risk`, `privacy`, `privacy-2` and `fund-rules`, each
   * as `<name>.<language>.md`.
   */
  pages: z.optional(nonEmptyPath),
  /**
   * Two persons decide about a member's deposit or withdrawal if it and what one person has decided alone of that member in
   * the last 24 hours are above this amount.
   */
  fourEyesAbove: z._default(threshold, '1000.00'),
  /** The same for all members together; by default ten times the amount of one. */
  fourEyesAboveInAll: z.optional(threshold),
})
export type OfficeConfig = MarketConfig &
  NoticesConfig &
  MoneyConfig &
  MembersConfig &
  z.infer<typeof officeConfig>

/** The same under `practice`. */
export const officePractice = z.object({
  /** When sensitive acts of the office need two persons; `auto`: once two members of staff are active. */
  fourEyes: z._default(z.enum(['auto', 'on'], { error: 'must be auto or on' }), 'auto'),
})

type OwnSettings = {
  deskKey: string | null
  deskRemote: boolean
  /** When sensitive acts of the office need two persons; `auto`: once two members of staff are active. */
  fourEyes: 'on' | 'auto'
  /** Whether the staff may work only with a second factor. */
  staffSecondFactor: boolean
}
export type OfficeSettings = MoneySettings & MembersSettings & OwnSettings & { operatorConfig: OfficeConfig }

export const readOfficeSettings = (
  values: z.infer<typeof officeEnvironment> & { MODE: Mode },
  { practice }: { practice: z.infer<typeof officePractice> },
): OwnSettings => ({
  deskKey: values.DESK_KEY ?? null,
  deskRemote: values.DESK_REMOTE === '1',
  fourEyes: values.MODE === 'practice' ? practice.fourEyes : 'on',
  staffSecondFactor: values.MODE === 'live',
})
