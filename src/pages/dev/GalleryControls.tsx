import { useState } from 'react'
import {
  AmountField,
  Button,
  ConfirmDialog,
  DurationChips,
  IconButton,
  Pill,
  PillSelect,
  QuickAmounts,
  SearchField,
  Segments,
  Sheet,
  Switch,
  Tabs,
  TextLink,
  Timeframes,
  TradeButton,
  toast,
} from '../../ui/index.ts'
import { GallerySample } from './GallerySample.tsx'
import styles from './Gallery.module.css'

const durations = [
  { value: '30', label: '30 s', rate: '85%' },
  { value: '60', label: '1 min', rate: '85%' },
  { value: '180', label: '3 min', rate: '86%' },
  { value: '300', label: '5 min', rate: '87%' },
  { value: '900', label: '15 min', rate: '88%', disabled: true },
]
const directions = [
  { value: '', label: 'All directions' },
  { value: 'up', label: 'Up' },
  { value: 'down', label: 'Down' },
]

/** Buttons, choices, the ticket and overlays. */
export function GalleryControls() {
  return (
    <>
      <Buttons />
      <Choices />
      <Ticket />
      <Sheets />
    </>
  )
}

function Buttons() {
  return (
    <GallerySample title="Buttons">
      <div className={styles.tight}>
        <div className={styles.wrap}>
          <Button>Deposit</Button>
          <Button variant="secondary">Withdraw</Button>
          <Button variant="text">View all</Button>
        </div>
        <div className={styles.wrap}>
          <Button busy>Sending</Button>
          <Button size="small" variant="secondary" icon="copy">
            Copy
          </Button>
          <TextLink href="#/dev/gallery" caret>
            All
          </TextLink>
          <IconButton icon="star-fill" label="Favourite" pressed />
        </div>
        <Button block disabled reason="Amount is empty. The reason is shown next to it.">
          Transfer in
        </Button>
        <div className={styles.pair}>
          <TradeButton direction="up" label="Buy up" note="Win +85.00" />
          <TradeButton direction="down" label="Buy down" note="Win +85.00" />
        </div>
        <div className={styles.pair}>
          <TradeButton direction="up" label="Buy up" note="Paused" disabled />
          <TradeButton direction="down" label="Buy down" note="Sending" busy />
        </div>
      </div>
    </GallerySample>
  )
}

function Choices() {
  const [tab, setTab] = useState('positions')
  const [timeframe, setTimeframe] = useState('5m')
  const [theme, setTheme] = useState('system')
  const [direction, setDirection] = useState('')
  const [on, setOn] = useState(true)
  const [query, setQuery] = useState('')
  return (
    <GallerySample title="Tabs, timeframes, pills, segments, switches">
      <div className={styles.bleed}>
        <Tabs
          label="Orders"
          items={['records', 'positions', 'closed'].map((value) => ({
            value,
            label: value[0]?.toUpperCase() + value.slice(1),
          }))}
          value={tab}
          onChange={setTab}
          end={<IconButton icon="star" label="Favourites" />}
        >
          <Timeframes
            label="Candle"
            items={['1m', '5m', '15m', '1h', '4h', '1d'].map((value) => ({ value, label: value }))}
            value={timeframe}
            onChange={setTimeframe}
            end={<IconButton icon="chart-line" label="Line" />}
          />
        </Tabs>
      </div>
      <div className={styles.stack}>
        <div className={styles.wrap}>
          <Pill selected={direction === ''} onClick={() => setDirection('')}>
            All
          </Pill>
          <PillSelect label="Direction" options={directions} value={direction} onValue={setDirection} />
          <Pill caret onClick={() => undefined}>
            Product
          </Pill>
        </div>
        <SearchField label="Enter product name" clearLabel="Clear" value={query} onValue={setQuery} />
        <Segments
          label="Theme"
          items={['system', 'light', 'dark'].map((value) => ({ value, label: value }))}
          value={theme}
          onChange={setTheme}
        />
        <div className={styles.wrap}>
          <Switch label="On" checked={on} onChange={setOn} />
          <Switch label="Off" checked={!on} onChange={() => setOn(!on)} />
          <Switch label="Fixed" checked disabled onChange={() => undefined} />
        </div>
      </div>
    </GallerySample>
  )
}

function Ticket() {
  const [duration, setDuration] = useState('60')
  const [amount, setAmount] = useState('100.00')
  const shares = ['25%', '50%', '75%', '100%'].map((label) => ({ label, onPick: () => setAmount(label) }))
  return (
    <GallerySample title="Ticket">
      <div className={styles.tight}>
        <DurationChips label="Duration" items={durations} value={duration} onChange={setDuration} />
        <div className={styles.pair}>
          <AmountField label="Amount, USD" value={amount} onValue={setAmount} invalid={amount === ''} />
          <QuickAmounts label="Share of the balance" items={shares} />
        </div>
        <DurationChips
          label="Duration, wide"
          columns={3}
          items={durations}
          value={duration}
          onChange={setDuration}
        />
      </div>
    </GallerySample>
  )
}

function Sheets() {
  const [sheet, setSheet] = useState(false)
  const [confirmation, setConfirmation] = useState(false)
  return (
    <GallerySample title="Sheets and toasts">
      <div className={styles.wrap}>
        <Button variant="secondary" onClick={() => setSheet(true)}>
          Sheet
        </Button>
        <Button variant="secondary" onClick={() => setConfirmation(true)}>
          {' '}
          Confirmation
        </Button>
        <Button
          variant="secondary"
          onClick={() => toast({ text: 'Account-opening code copied successfully', kind: 'success' })}
        >
          Toast
        </Button>
        <Button
          variant="secondary"
          onClick={() => toast({ text: 'Rate changed to 84%. Check the terms.', kind: 'problem' })}
        >
          Problem
        </Button>
      </div>
      <Sheet
        open={sheet}
        onClose={() => setSheet(false)}
        title="Confirm order"
        closeLabel="Close"
        footer={
          <Button variant="up" size="large" block icon="arrow-up-bold" onClick={() => setSheet(false)}>
            Buy up 100.00
          </Button>
        }
      >
        <p className={styles.muted}>Terms hold for 5 s. Later, the order is rejected, never filled.</p>
      </Sheet>
      <ConfirmDialog
        open={confirmation}
        title="Log out"
        confirmLabel="Log out"
        cancelLabel="Stay"
        closeLabel="Close"
        onConfirm={() => setConfirmation(false)}
        onCancel={() => setConfirmation(false)}
      >
        Are you sure you want to log out?
      </ConfirmDialog>
    </GallerySample>
  )
}
