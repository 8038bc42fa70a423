import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { useCountryName } from '../../data/useCountryName.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { Block } from '../../ui/Block.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { payToFacts } from '../queues/payToFacts.ts'

/** ID and withdrawal account, as far as the role may see them. They are shown when asked for: each look is recorded. */
export function Identity({ memberId }: { memberId: string }) {
  const t = useTexts()
  const country = useCountryName()
  const [isShown, setShown] = useState(false)
  const { data, failure, isLoading } = useOfficeCall(
    officeRoutes.members.identity,
    { params: { id: memberId } },
    { enabled: isShown, isFinal: true },
  )
  useCommands([{ label: 'identity.show', keys: 'i', group: 'list', run: () => setShown(true) }])
  return (
    <Block
      title={t('identity.title')}
      tools={
        !isShown && (
          <Button size="small" variant="secondary" onClick={() => setShown(true)}>
            {t('identity.show')} <Keys keys="i" />
          </Button>
        )
      }
    >
      <FailureLine failure={failure} />
      {!isShown && <p>{t('identity.recorded')}</p>}
      {isLoading && <p>{t('list.loading')}</p>}
      {data?.document === null && data.payTo === null && <p>{t('identity.none')}</p>}
      {data !== undefined && (
        <Facts
          items={[
            data.document && { label: t('verification.number'), value: data.document.number },
            data.document && { label: t('identity.country'), value: country(data.document.nationality) },
            data.payTo && { label: t('withdrawal.payee'), value: data.payTo.accountName },
            ...(data.payTo === null ? [] : payToFacts(t, country, data.payTo)),
          ]}
        />
      )}
    </Block>
  )
}
