import type { TFunction } from 'i18next'
import type { ResultGroup, ResultShares } from '../../../contract/results.ts'
import type { Format } from '../../text/format.ts'

/** An interval of shares: 40.2%–69.1%. */
export const intervalText = (format: Format, { lowBp, highBp }: ResultShares): string =>
  `${format.share(lowBp / 10_000)}–${format.share(highBp / 10_000)}`

/** The second line of a group: its number of orders and stake, and from 30 decided orders on its shares. */
export function groupCaption(
  t: TFunction,
  format: Format,
  { orders, shares }: ResultGroup,
  stake: string,
): string {
  const counts = [t('results.orders', { count: orders }), t('results.staked', { stake })]
  if (shares === null) return counts.join(' · ')
  const share = format.share(shares.rightBp / 10_000)
  return [
    ...counts,
    t('results.rightOf', { share, interval: intervalText(format, shares) }),
    t('results.even', { share: format.share(shares.breakEvenBp / 10_000) }),
  ].join(' · ')
}
