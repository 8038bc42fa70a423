import {
  Button,
  Card,
  ConnectionLine,
  EmptyState,
  ErrorState,
  IconButton,
  ListRow,
  Rail,
  Section,
  Skeleton,
  Spinner,
  Steps,
  Switch,
  TabBar,
  TextLink,
  TitleBar,
} from '../../ui/index.ts'
import type { NavItem } from '../../ui/index.ts'
import { GallerySample } from './GallerySample.tsx'
import styles from './Gallery.module.css'

const places: readonly NavItem[] = [
  { id: 'home', href: '#/dev/gallery', label: 'Home', icon: 'house', activeIcon: 'house-fill' },
  {
    id: 'products',
    href: '#/dev/gallery',
    label: 'Products',
    icon: 'chart-line-up',
    activeIcon: 'chart-line-up-fill',
  },
  { id: 'fund', href: '#/dev/gallery', label: 'Balance fund', icon: 'vault', activeIcon: 'vault-fill' },
  { id: 'me', href: '#/dev/gallery', label: 'Account', icon: 'user-circle', activeIcon: 'user-circle-fill' },
]
const others: readonly NavItem[] = [
  { id: 'messages', href: '#/dev/gallery', label: 'Messages', icon: 'bell', count: 3 },
  { id: 'support', href: '#/dev/gallery', label: 'Support', icon: 'headset' },
]

/** Bars, rows and the states of a page. */
export const GalleryStates = () => (
  <>
    <Bars />
    <Rows />
    <Loading />
    <Empty />
    <Failed />
  </>
)

const Bars = () => (
  <GallerySample title="Bars">
    <div className={styles.bleed}>
      <TitleBar
        title="EUR/USD"
        subtitle="Forex · Open"
        back={{ label: 'Back', href: '#/dev/gallery' }}
        actions={<IconButton icon="star-fill" label="Favourite" />}
      />
      <ConnectionLine announcement="Prices paused. Reconnecting.">
        Prices paused 12 s. Reconnecting
      </ConnectionLine>
      <TitleBar
        root
        title="Home"
        actions={
          <>
            <IconButton icon="globe" label="Language" text="EN" />
            <IconButton icon="bell" label="Messages, 3 unread" count={3} />
          </>
        }
      />
      <TitleBar
        root
        title="Balance fund"
        actions={
          <>
            <TextLink href="#/dev/gallery">Details</TextLink>
            <TextLink href="#/dev/gallery">Rules</TextLink>
          </>
        }
      />
      <div className={styles.frame}>
        <TabBar label="Main" items={places} current="home" />
        <Rail
          label="Main, wide"
          items={places}
          secondary={others}
          current="products"
          brand={{ name: 'Uptick', href: '#/dev/gallery' }}
          footer="Live · 14:22:07 UTC+8"
        />
      </div>
    </div>
  </GallerySample>
)

const Rows = () => (
  <GallerySample title="Rows">
    <div className={styles.bleed}>
      <ListRow icon="receipt" label="Order record" href="#/dev/gallery" />
      <ListRow icon="bank" label="Withdrawal account" value="•• 4821" href="#/dev/gallery" />
      <ListRow
        icon="ticket"
        label="Account-opening code"
        caption="K7Q2MX"
        end={<TextLink size={15}>Copy</TextLink>}
      />
      <ListRow label="Language" value="English" onClick={() => undefined} />
      <ListRow
        label="Confirm every order"
        end={<Switch label="Confirm" checked onChange={() => undefined} />}
      />
      <ListRow label="Version" value="1.0.0" />
    </div>
    <Section title="Recommended" action={<TextLink caret>All</TextLink>}>
      <Steps done={1} of={2} />
    </Section>
    <Section title="Display" head="label" help="To change a password, contact customer service.">
      <Card outlined>
        <ListRow label="Theme" value="System" />
      </Card>
    </Section>
  </GallerySample>
)

const Loading = () => (
  <GallerySample title="Loading">
    {[1, 2].map((row) => (
      <div key={row} className={styles.product}>
        <div className={styles.grow}>
          <Skeleton width={64} line={15} />
          <Skeleton width={48} line={12} />
        </div>
        <Skeleton width={72} height={28} />
        <div className={styles.figures}>
          <Skeleton width={72} line={15} />
          <Skeleton width={48} line={13} />
        </div>
      </div>
    ))}
    <Spinner label="Loading" />
  </GallerySample>
)

const Empty = () => (
  <GallerySample title="Empty">
    <EmptyState title="No open positions" action={<Button variant="secondary">See products</Button>}>
      An order you place shows here until it closes.
    </EmptyState>
  </GallerySample>
)

const Failed = () => (
  <GallerySample title="Error">
    <ErrorState
      title="Could not load the records"
      retryLabel="Try again"
      onRetry={() => undefined}
      note="Request 7f3a-19c2"
    >
      The venue did not answer within 60 s. Your money is not affected.
    </ErrorState>
  </GallerySample>
)
