import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  amountLimitFields,
  selfLimitRoutes,
  type AmountLimitField,
  type SelfLimits,
} from '../../../contract/selfLimits.ts'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useCall } from '../../hooks/useCall.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Card, ListRow, Skeleton, toast } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import { useSelfLimits } from '../../features/account/useSelfLimits.ts'
import { SelfExclusion } from './SelfExclusion.tsx'
import { SessionSoFar } from './SessionSoFar.tsx'
import { SelfLimitSheet } from './SelfLimitSheet.tsx'
import { pendingOf, withLimit, type SelfLimitValue, type SaveSelfLimit } from './selfLimits.ts'
import styles from './SelfLimits.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

/** Limits that members set for themselves, and a pause from trading. */
export function SelfLimitsPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const call = useCall()
  const { loadable, reload, put } = useSelfLimits()
  const limits = valueOf(loadable)
  const save: SaveSelfLimit = async (field, value) => {
    if (limits === undefined) return undefined
    const result = await call(selfLimitRoutes.putLimits, { body: withLimit(limits, field, value) })
    if (!result.ok) return failureText(t, format, result.failure)
    put(result.value)
    const pendingChange = pendingOf(result.value, field)
    toast({
      kind: 'success',
      text: pendingChange
        ? t('limits.savedLater', { date: format.dateTimeShort(pendingChange.effectiveAt) })
        : t('limits.saved'),
    })
    return undefined
  }
  return (
    <Page ground="money" title={t('title.limits')} backTo={paths.settings} receives="events">
      <PracticeDate />
      <div className={styles.stack}>
        <p className={styles.lead}>
          {t('limits.lead')} <PracticeBadge />
        </p>
        <SessionSoFar />
        <Loaded
          of={loadable}
          failed={t('limits.failed')}
          retry={reload}
          card
          skeleton={
            <Card padded>
              <Skeleton height={160} />
            </Card>
          }
        >
          {(value) => (
            <div>
              <AmountLimits limits={value} save={save} />
              <SelfExclusion limits={value} save={save} />
            </div>
          )}
        </Loaded>
      </div>
    </Page>
  )
}

function AmountLimits({ limits, save }: { limits: SelfLimits; save: SaveSelfLimit }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [edited, setEdited] = useState<AmountLimitField>()
  const valueText = (value: SelfLimitValue): string =>
    typeof value === 'string' ? format.money(value) : t('limits.none')
  return (
    <Card>
      {amountLimitFields.map((field) => {
        const pendingChange = pendingOf(limits, field)
        return (
          <ListRow
            key={field}
            label={t(`limits.${field}`)}
            caption={
              pendingChange
                ? t('limits.pending', {
                    value: valueText(pendingChange.value),
                    date: format.dateTimeShort(pendingChange.effectiveAt),
                  })
                : t(`limits.${field}Hint`)
            }
            value={valueText(limits.active[field])}
            onClick={() => setEdited(field)}
          />
        )
      })}
      {amountLimitFields.map((field) => (
        <SelfLimitSheet
          key={`${field} ${String(edited === field)}`}
          field={field}
          open={edited === field}
          limits={limits}
          save={save}
          onClose={() => setEdited(undefined)}
        />
      ))}
    </Card>
  )
}
