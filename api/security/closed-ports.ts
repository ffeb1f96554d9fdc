/** Ports that no browser calls. Source: Fetch Standard, section "Port blocking" (0 among them). */
const fetchBlocked = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
];

/** Databases, caches and search. */
const stores = [
  1433, 1434, 1521, 2638, 3050, 3306, 5432, 5433, 5984, 6379, 6380, 6432, 6984, 7473, 7474, 7687,
  8086, 8123, 8529, 8983, 9042, 9142, 9160, 9200, 9300, 11210, 11211, 16379, 26257, 26379, 27017,
  27018, 27019, 28015, 28017, 33060,
];

/** Queues and brokers. */
const brokers = [1883, 2181, 4222, 5671, 5672, 8161, 8883, 9092, 9093, 9094, 15672, 61613, 61616];

/** What runs machines and containers: Docker, etcd, Kubernetes, Consul, Nomad, Vault, Ray, Salt. */
const control = [
  2375, 2376, 2377, 2379, 2380, 4001, 4505, 4506, 4646, 4647, 4648, 6443, 8200, 8201, 8265, 8300,
  8301, 8302, 8500, 8501, 8502, 8600, 10248, 10249, 10250, 10255, 10256, 10257, 10259,
];

/** Files, directories, remote desktops, proxies, metrics. */
const machines = [
  88, 111, 445, 464, 873, 1080, 1099, 2222, 3128, 3260, 3268, 3269, 3389, 5601, 5900, 5901, 5985,
  5986, 8009, 9100, 9418,
];

/**
 * Ports on which no endpoint is called: other services are there, and some obey whoever reaches them.
 * All others are open, since inference servers use many.
 */
export const closedPorts: ReadonlySet<number> = new Set([
  ...fetchBlocked,
  ...stores,
  ...brokers,
  ...control,
  ...machines,
]);
