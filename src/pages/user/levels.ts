import type { VenueConfig } from '../../../contract/venueConfig.ts'

const levelKeys = ['general', 'intermediate', 'advanced', 'gold', 'diamond'] as const
export type LevelKey = (typeof levelKeys)[number]

export const isLevelKey = (key: string | undefined): key is LevelKey =>
  levelKeys.some((levelKey) => levelKey === key)

/** The key of the venue's level number; undefined if this version has no text for it. */
export function levelKeyOf(levels: VenueConfig['levels'] | undefined, level: number): LevelKey | undefined {
  const key = levels?.find((entry) => entry.level === level)?.key
  return isLevelKey(key) ? key : undefined
}
