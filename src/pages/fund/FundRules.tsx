import { useTranslation } from 'react-i18next'
import { fundRoutes } from '../../../contract/fund.ts'
import type { FundRules as Rules } from '../../../contract/fund.ts'
import { failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { localeOf } from '../../format.ts'
import { useDayFormat } from '../../hooks/useDays.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { useRequest, valueOf } from '../../hooks/useRequest.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Card, ErrorState, Skeleton } from '../../ui/index.ts'
import { PracticeDate } from '../money/PracticeDate.tsx'
import styles from './FundRules.module.css'
import { zoneName } from './zoneName.ts'

const loadRules = (signal: AbortSignal) => call(fundRoutes.fundRules, {}, { signal })

/** The fund's rules in words, with the values the venue enforces. */
export function FundRules() {
  const { t } = useTranslation()
  const format = useFormat()
  const { loadable, reload } = useRequest(loadRules)
  const rules = valueOf(loadable)
  return (
    <Page ground="money" title={t('title.fundRules')} backTo={paths.fund}>
      <PracticeDate />
      <div className={styles.stack}>
        {rules ? (
          <>
            <p className={styles.lead}>{t('fund.rulesLead')}</p>
            <Card>
              <Parts rules={rules} />
            </Card>
          </>
        ) : loadable.state === 'failed' ? (
          <Card>
            <ErrorState title={t('fund.rulesFailed')} retryLabel={t('common.retry')} onRetry={reload}>
              {failureText(t, format, loadable.failure)}
            </ErrorState>
          </Card>
        ) : (
          <Card padded>
            <Skeleton height={420} />
          </Card>
        )}
      </div>
    </Page>
  )
}

function Parts({ rules }: { rules: Rules }) {
  const { t } = useTranslation()
  const format = useFormat()
  const days = useDayFormat()
  const language = useLanguage()
  const count = (value: number): string => format.decimal(String(value))
  const holidays = new Intl.ListFormat(localeOf(language)).format(rules.holidays.map((day) => days.long(day)))
  const parts = [
    {
      key: 'when',
      text: t('fund.rule.whenText', {
        hour: String(rules.cutoffHour).padStart(2, '0'),
        zone: zoneName(localeOf(language), rules.zone),
      }),
    },
    { key: 'confirm', text: t('fund.rule.confirmText') },
    {
      key: 'days',
      text:
        rules.holidays.length === 0
          ? t('fund.rule.daysNoneText')
          : t('fund.rule.daysText', { days: holidays }),
    },
    { key: 'earn', text: t('fund.rule.earnText') },
    { key: 'out', text: t('fund.rule.outText', { cap: format.money(rules.fastCapPerDay) }) },
    {
      key: 'times',
      text: t('fund.rule.timesText', {
        in: count(rules.depositsPerDay),
        out: count(rules.withdrawalsPerDay),
      }),
    },
    { key: 'least', text: t('fund.rule.leastText', { min: format.money(rules.minDeposit) }) },
    ...(rules.practice ? [{ key: 'practice', text: t('fund.rule.practiceText') } as const] : []),
  ] as const
  return parts.map(({ key, text }) => (
    <section key={key} className={styles.part}>
      <h2 className={styles.heading}>{t(`fund.rule.${key}`)}</h2>
      <p className={styles.text}>{text}</p>
    </section>
  ))
}
