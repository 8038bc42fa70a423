// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { VenueConfig } from '../../../contract/venueConfig.ts'
import { useRestNotice } from '../../../src/features/account/useRestNotice.ts'
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import { session } from '../../../src/state/session.ts'
import { mount, one } from '../ui/mount.tsx'

beforeAll(() => startI18n())
afterEach(() => (session.appInfo = null))

function Notice() {
  return <p>{useRestNotice()('All devices are logged out.')}</p>
}

it.each([
  [0, 'en', 'All devices are logged out.'],
  [24, 'en', 'All devices are logged out. Withdrawals are then paused for 24 hours to protect your money.'],
  [
    48,
    'de',
    'All devices are logged out. Danach sind Auszahlungen zum Schutz Ihres Geldes 48 Stunden lang ausgesetzt.',
  ],
] as const)(
  'with a rest of %s hours a text in %s names the pause, or none',
  async (hours, language, expected) => {
    session.appInfo = { withdrawalRestHours: hours } as VenueConfig
    await changeLanguage(language)
    await mount(<Notice />)
    expect(one('p').textContent).toBe(expected)
  },
)
