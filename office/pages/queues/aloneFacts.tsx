import type { DecidedAlone } from '../../../contract/office/reviews.ts'
import type { Texts } from '../../i18n.ts'
import type { Fact } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'

/** What the viewer has decided alone, of how much, and apart from it what the viewer proposed to a second person. */
export function aloneFacts(t: Texts, { ofMember, above, inAll, aboveInAll, waiting }: DecidedAlone): Fact[] {
  const sum = (decided: string, limit: string) => (
    <>
      <Money value={decided} /> {t('alone.of')} <Money value={limit} />
    </>
  )
  return [
    { label: t('alone.ofMember'), value: sum(ofMember, above) },
    { label: t('alone.inAll'), value: sum(inAll, aboveInAll) },
    {
      label: t('alone.waiting'),
      value: (
        <>
          <Money value={waiting.amount} /> {t('facts.times', { count: waiting.count })}
        </>
      ),
    },
  ]
}
