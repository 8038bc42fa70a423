import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { looserAfterMs } from '../../../contract/limits.ts'
import type { Limits } from '../../../contract/wallet.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { Button, Card, ConfirmDialog, Section, Select, toast } from '../../ui/index.ts'
import { pauses, pausesAfter, pendingOf } from './limits.ts'
import type { Pause } from './limits.ts'
import type { SaveLimit } from './LimitsPage.tsx'
import styles from './Limits.module.css'

/** A pause from trading: asked twice, because it cannot be undone at once. */
export function Exclusion({ limits, save }: { limits: Limits; save: SaveLimit }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { clock } = useStreams()
  const until = limits.active.excludedUntil
  const offered = pausesAfter(until, clock.now())
  const [length, setLength] = useState<Pause>('h24')
  const chosen = offered.includes(length) ? length : offered[0]
  const question = useQuestion(save)
  const ending = pendingOf(limits, 'excludedUntil')
  return (
    <Section head="label" title={t('limits.exclusion')}>
      <Card padded>
        <div className={styles.exclusion}>
          <p className={styles.state}>
            {until === null
              ? t('limits.notExcluded')
              : t('limits.excludedUntil', { date: format.dateTimeShort(until) })}
          </p>
          <p className={styles.help}>
            {ending
              ? t('limits.endsOn', { date: format.dateTimeShort(ending.effectiveAt) })
              : t('limits.exclusionText')}
          </p>
          {chosen !== undefined && (
            <>
              <Select
                label={t('limits.length')}
                options={offered.map((name) => ({ value: name, label: t(`limits.${name}`) }))}
                value={chosen}
                onValue={(value) => setLength(offered.find((name) => name === value) ?? 'h24')}
              />
              <Button
                block
                variant="secondary"
                onClick={() => {
                  const at = clock.now() + pauses[chosen]
                  question.ask(Math.round(at), at)
                }}
              >
                {t(until === null ? 'limits.choose' : 'limits.extend')}
              </Button>
            </>
          )}
          {until !== null && !ending && (
            <Button block variant="text" onClick={() => question.ask(null, clock.now() + looserAfterMs)}>
              {t('limits.endEarly')}
            </Button>
          )}
        </div>
      </Card>
      <Question {...question} />
    </Section>
  )
}

type Asked = { until: number | null; at: number }

/** What is asked before a pause begins or ends, and what a yes does. */
function useQuestion(save: SaveLimit) {
  /** The instants asked about, held while the question slides away. */
  const [asked, setAsked] = useState<Asked>()
  const [open, setOpen] = useState(false)
  const [confirm, busy] = useAction(async () => {
    if (asked === undefined) return
    const wrong = await save('excludedUntil', asked.until)
    if (wrong !== undefined) toast({ text: wrong, kind: 'problem' })
    setOpen(false)
  })
  const ask = (until: number | null, at: number): void => {
    setAsked({ until, at })
    setOpen(true)
  }
  return { asked, open, busy, ask, confirm, cancel: () => setOpen(false) }
}

function Question({ asked, open, busy, confirm, cancel }: ReturnType<typeof useQuestion>) {
  const { t } = useTranslation()
  const format = useFormat()
  const date = asked === undefined ? '' : format.dateTimeShort(asked.at)
  const early = asked?.until === null
  return (
    <ConfirmDialog
      open={open}
      title={t(early ? 'limits.endTitle' : 'limits.confirmTitle', { date })}
      confirmLabel={t(early ? 'limits.end' : 'limits.confirm')}
      cancelLabel={t(early ? 'limits.keep' : 'common.cancel')}
      closeLabel={t('common.close')}
      busy={busy}
      onConfirm={confirm}
      onCancel={cancel}
    >
      {t(early ? 'limits.endText' : 'limits.confirmText', { date })}
    </ConfirmDialog>
  )
}
