import { createElement, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { splitTag } from '../../text/splitTag.ts'
import { useStreamsIfReady } from '../../hooks/useStreams.ts'
import { createLazy } from '../../start/lazy.ts'
import { useLazyValue } from '../../start/useLazyValue.ts'
import { Checkbox, TextLink, toast } from '../../ui/index.ts'
import { useRiskNotice } from '../../features/content/useRiskNotice.ts'

/** Loaded separately: the sheet it needs is more code than this whole page. */
const riskNotice = createLazy(
  () => import('../../features/content/RiskNotice.tsx').then((m) => m.RiskNotice),
  {
    name: 'riskNotice',
  },
)

/** The checkbox required before registration, with a link to the risk notice. */
export function RiskConsent({ missing }: { missing: boolean }) {
  const { t } = useTranslation()
  const { accepted, accept } = useRiskNotice()
  const [isNoticeOpen, setNoticeOpen] = useState(false)
  const RiskNoticeSheet = useLazyValue(riskNotice)
  const areStreamsLoaded = useStreamsIfReady() !== null
  useEffect(() => {
    if (areStreamsLoaded) void riskNotice.get()
  }, [areStreamsLoaded])
  const openNotice = async (): Promise<void> => {
    setNoticeOpen(true)
    const result = await riskNotice.getOrReload()
    if (result.ok) return
    setNoticeOpen(false)
    toast({ text: t(`page.${result.failure}.text`), kind: 'problem' })
  }
  const [before, notice, after] = splitTag(t('welcome.riskAccept'), 'notice')
  return (
    <>
      <Checkbox checked={accepted} onChange={accept} error={missing ? t('welcome.riskFirst') : ''}>
        {before}
        <TextLink onClick={() => void openNotice()}>{notice}</TextLink>
        {after}
      </Checkbox>
      {RiskNoticeSheet &&
        createElement(RiskNoticeSheet, {
          open: isNoticeOpen,
          onClose: () => setNoticeOpen(false),
          onAccept: () => {
            accept(true)
            setNoticeOpen(false)
          },
        })}
    </>
  )
}
