import type { VenueConfig } from '../../../contract/venueConfig.ts'

const levelKeys = ['general', 'intermediate', 'advanced', 'gold', 'diamond'] as const
export type LevelKey = (typeof levelKeys)[number]

export const isLevelKey = (key: string | undefined): key is LevelKey =>
  levelKeys.some((known) => known === key)

/** The name of a level as the venue counts them; undefined for one that this version does not know. */
export function levelKeyOf(levels: VenueConfig['levels'] | undefined, level: number): LevelKey | undefined {
  const key = levels?.find((entry) => entry.level === level)?.key
  return isLevelKey(key) ? key : undefined
}
