import type { AccountDetails } from '../../../contract/withdrawals.ts'
import type { Texts } from '../../i18n.ts'
import type { Fact } from '../../ui/Facts.tsx'

/** Where the money of a withdrawal goes, without the name of its holder. */
export function payToFacts(t: Texts, country: (code: string) => string, payTo: AccountDetails): Fact[] {
  if (payTo.type === 'bank')
    return [
      { label: t('withdrawal.bank'), value: payTo.bank, copy: payTo.bank },
      { label: t('withdrawal.card'), value: payTo.cardNumber, copy: payTo.cardNumber },
      { label: t('column.country'), value: country(payTo.nationality) },
      { label: t('withdrawal.address'), value: payTo.accountAddress, wide: true },
    ]
  return [
    { label: t('withdrawal.currency'), value: payTo.currency },
    { label: t('column.country'), value: country(payTo.nationality) },
    {
      label: t('withdrawal.cryptoAddress'),
      value: payTo.currencyAddress,
      wide: true,
      copy: payTo.currencyAddress,
    },
    ...(payTo.memo === undefined
      ? []
      : [{ label: t('withdrawal.memo'), value: payTo.memo, wide: true, copy: payTo.memo }]),
  ]
}
