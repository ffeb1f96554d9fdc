import { describe, expect, it } from "vitest";
import { endpointUrlProblem, webhookUrlProblem } from "./public-url.ts";

const closed = { allowPrivateEndpoints: false, ownHosts: [] };
const open = { allowPrivateEndpoints: true, ownHosts: [] };

it.each([
  "https://api.example.com/v1",
  "https://api.example.com",
  "HTTPS://API.EXAMPLE.COM/v1",
  "https://api.example.com:8443/v1",
  "https://api.example.com:8000/v1",
  "https://api.example.com:11434/v1",
  "https://bücher.example.com/v1",
  "https://8.8.8.8/v1",
  "https://[2606:4700::1111]/v1",
  "https://8-8-8-8.sslip.io/v1",
  "https://api.example.ai/v1",
  "https://api.example.co.uk/v1",
  "https://xn--e1afmkfd.xn--p1ai/v1",
  "https://8.8.8.8.nip.io/v1",
  "https://08080808.nip.io/v1",
  "https://v1-2-3.models.example.com/v1",
  "https://router.internal-tools.example.com/v1",
])("endpointUrlProblem() allows %s", (address) => {
  expect(endpointUrlProblem(address, closed)).toBeNull();
});

/** Addresses that a public deployment must never call, by reason. */
const hostile: Record<string, string[]> = {
  "must begin with https://": [
    "http://api.example.com/v1",
    "ftp://api.example.com/",
    "file://api.example.com/etc/passwd",
    "gopher://api.example.com:70/_",
    "ws://api.example.com/",
    "wss://api.example.com/",
    "HTTP://api.example.com/v1",
  ],
  "must be written as https://host/path": [
    "file:///etc/passwd",
    "data:application/json,{}",
    "javascript:alert(1)",
    "blob:https://api.example.com/1",
    "https:api.example.com/v1",
    "https:/api.example.com/v1",
    "https:///api.example.com/v1",
  ],
  "must be an absolute URL": [
    "",
    "not-a-url",
    "//api.example.com/v1",
    "/v1",
    "https://",
    "https://:443/v1",
    "https://[fe80::1%25eth0]/v1",
    "https://[fe80::1%eth0]/v1",
    "https://256.1.1.1/v1",
    "https://1.2.3.4.5/v1",
    "https://api.example.com:99999/v1",
    "https://exa<mple.com/v1",
  ],
  "must not contain white space, control characters or backslashes": [
    " https://api.example.com/v1",
    "https://api.example.com/v1\n",
    "https://127.0.0.1\t.nip.io/v1",
    "https://api.example.com\r\nHost: x/v1",
    "https://api.example.com/\u0000",
    "https:\\\\127.0.0.1\\v1",
    "https://api.example.com\\@127.0.0.1/v1",
  ],
  "must not contain a user name or password": [
    "https://user:pass@api.example.com/v1",
    "https://user@api.example.com/v1",
    "https://@api.example.com/v1",
    "https://api.example.com@127.0.0.1/v1",
    "https://api.example.com%2f@127.0.0.1/v1",
  ],
  "must not contain percent-encoding in its host name": [
    "https://%31%32%37.0.0.1/v1",
    "https://loc%61lhost/v1",
    "https://api%2eexample.com/v1",
  ],
  "must not have a host name that ends with a dot": [
    "https://LOCALHOST./v1",
    "https://localhost\u3002/v1",
    "https://metadata.google.internal./v1",
    "https://api.example.com.:443/v1",
  ],
  "must not contain a query or fragment": [
    "https://api.example.com/v1?api-version=1",
    "https://api.example.com/v1?",
    "https://api.example.com/v1#x",
    "https://api.example.com#@127.0.0.1/",
  ],
  "must not use port": [
    "https://api.example.com:0/v1",
    "https://api.example.com:22/v1",
    "https://api.example.com:25/v1",
    "https://api.example.com:6379/v1",
    "https://api.example.com:5432/v1",
    "https://api.example.com:10080/v1",
    "https://api.example.com:2375/v1",
    "https://api.example.com:2379/v1",
    "https://api.example.com:6443/v1",
    "https://api.example.com:8500/v1",
    "https://api.example.com:9200/v1",
    "https://api.example.com:10250/v1",
  ],
  "(loopback)": [
    "https://127.0.0.1/v1",
    "https://127.8.9.10/v1",
    "https://2130706433/v1",
    "https://017700000001/v1",
    "https://0x7f000001/v1",
    "https://0177.0.0.1/v1",
    "https://0x7f.1/v1",
    "https://127.1/v1",
    "https://127.0.0.1./v1",
    "https://１２７．０．０．１/v1",
    "https://①②⑦.0.0.1/v1",
    "https://127\u30020\u30020\u30021/v1",
    "https://[::1]/v1",
    "https://[0:0:0:0:0:0:0:1]/v1",
    "https://[::ffff:127.0.0.1]/v1",
    "https://[::ffff:7f00:1]/v1",
    "https://[0:0:0:0:0:FFFF:127.0.0.1]/v1",
  ],
  "(private)": [
    "https://10.0.0.8/v1",
    "https://172.16.0.1/v1",
    "https://172.31.255.255/v1",
    "https://192.168.1.1/v1",
    "https://0300.0250.1.1/v1",
    "https://[::ffff:10.0.0.1]/v1",
  ],
  "(linkLocal)": [
    "https://169.254.169.254/latest/meta-data",
    "https://2852039166/latest/meta-data",
    "https://[::ffff:a9fe:a9fe]/v1",
    "https://[fe80::1]/v1",
  ],
  credentials: [
    "https://metadata.google.internal/v1",
    "https://METADATA.google.internal/v1",
    "https://metadata.goog/v1",
    "https://100.100.100.200/latest/meta-data",
    "https://168.63.129.16/v1",
    "https://[fd00:ec2::254]/v1",
    "https://metadata.tencentyun.com/v1",
    "https://metadata.c.my-project.internal/v1",
    "https://instance-data/v1",
    "https://[fd20:ce::254]/v1",
  ],
  "is not a public address": [
    "https://0.0.0.0/v1",
    "https://0/v1",
    "https://100.64.0.1/v1",
    "https://192.0.0.1/v1",
    "https://192.0.2.1/v1",
    "https://198.18.0.1/v1",
    "https://198.51.100.1/v1",
    "https://203.0.113.1/v1",
    "https://224.0.0.1/v1",
    "https://240.0.0.1/v1",
    "https://255.255.255.255/v1",
    "https://[::]/v1",
    "https://[::7f00:1]/v1",
    "https://[::ffff:0:7f00:1]/v1",
    "https://[64:ff9b::7f00:1]/v1",
    "https://[64:ff9b:1::a00:1]/v1",
    "https://[2002:7f00:1::]/v1",
    "https://[2001:0:4136:e378:8000:63bf:f5ff:fffe]/v1",
    "https://[fc00::1]/v1",
    "https://[fd12:3456::1]/v1",
    "https://[fec0::1]/v1",
    "https://[ff02::1]/v1",
    "https://[100::1]/v1",
    "https://[2001:db8::1]/v1",
    "https://[3fff::1]/v1",
    "https://[5f00::1]/v1",
    "https://[4000::1]/v1",
  ],
  "local network": ["https://intranet/v1", "https://router:8443/v1"],
  "there is no top-level domain": [
    "https://kubernetes.default/v1",
    "https://vault.service.consul/v1",
    "https://x.consul/v1",
    "https://api.cluster/v1",
    "https://api.docker/v1",
    "https://a.b.xn--zzzz/v1",
  ],
  "local or special network": [
    "https://localhost.localdomain/v1",
    "https://api.localhost/v1",
    "https://printer.local/v1",
    "https://ip-10-0-0-1.ec2.internal/v1",
    "https://api.corp/v1",
    "https://nas.lan/v1",
    "https://router.home.arpa/v1",
    "https://1.0.0.127.in-addr.arpa/v1",
    "https://duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion/v1",
    "https://kubernetes.default.svc/v1",
    "https://x.test/v1",
    "https://x.invalid/v1",
  ],
  "points to": [
    "https://localtest.me/v1",
    "https://a.b.localtest.me/v1",
    "https://lvh.me/v1",
    "https://fuf.me/v1",
    "https://7f000001.c0a80001.rbndr.us/v1",
  ],
  encodes: [
    "https://127.0.0.1.nip.io/v1",
    "https://10-0-0-1.nip.io/v1",
    "https://app-7f000001.nip.io/v1",
    "https://c0a80001.nip.io/v1",
    "https://customer.169-254-169-254.sslip.io/v1",
    "https://--1.sslip.io/v1",
    "https://fd00--1.sslip.io/v1",
    "https://anything.nip.io/v1",
    "https://169.254.169.254.nip.io/v1",
    "https://100-100-100-200.nip.io/v1",
    "https://8.10.0.0.1.nip.io/v1",
    "https://192-168-0-1.attacker.example.com/v1",
    "https://127.0.0.1.attacker.example.com/v1",
  ],
};

describe.each(Object.entries(hostile))("endpointUrlProblem() says “%s”", (reason, addresses) => {
  it.each(addresses)("for %j", (address) => {
    expect(endpointUrlProblem(address, closed)).toContain(reason);
  });
});

it("endpointUrlProblem() never quotes a password", () => {
  expect(endpointUrlProblem("https://me:hunter2@api.example.com/v1", closed)).not.toContain(
    "hunter2",
  );
});

describe("endpointUrlProblem() where the deployment allows private endpoints", () => {
  it.each([
    "http://127.0.0.1:8790/v1",
    "http://localhost:11434/v1",
    "http://0.0.0.0:8000/v1",
    "http://[::1]:8000/v1",
    "http://gpu-box:8000/v1",
    "http://10-0-0-8.nip.io:8000/v1",
    "http://127.0.0.1.nip.io:8000/v1",
    "http://models.default.svc:8000/v1",
    "http://vllm.service.consul:8000/v1",
    "http://host.docker.internal:8000/v1",
    "http://100.64.0.7:8000/v1",
    "https://10.0.0.8/v1",
    "https://api.example.com/v1",
  ])("allows %s", (address) => {
    expect(endpointUrlProblem(address, open)).toBeNull();
  });

  it.each([
    "http://a:b@127.0.0.1:8790/v1",
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "http://169.254.169.254/latest/meta-data",
    "http://metadata.google.internal/computeMetadata/v1",
    "http://[fd00:ec2::254]/latest",
    "http://255.255.255.255/v1",
    "http://[ff02::1]/v1",
    "http://metadata/v1",
    "http://metadata.tencentyun.com/v1",
    "http://instance-data/latest",
    "http://instance-data.ec2.internal/latest",
    "http://metadata.c.my-project.internal/v1",
    "http://169.254.169.254.nip.io/latest",
    "http://169-254-169-254.sslip.io/latest",
    "http://a9fea9fe.nip.io/latest",
    "http://x.169.254.170.2.attacker.example.com/v1",
    "http://8.169.254.169.254.nip.io/latest",
    "http://100-100-100-200.nip.io/latest",
    "http://fd00-ec2--254.sslip.io/latest",
    "http://[::ffff:a9fe:a9fe]/latest",
    "http://127.0.0.1:2375/v1",
    "http://127.0.0.1:6443/v1",
    "http://127.0.0.1:10250/v1",
    "http://127.0.0.1:6379/v1",
    "http://127.0.0.1:8790/v1?x=1",
  ])("still refuses %s", (address) => {
    expect(endpointUrlProblem(address, open)).toEqual(expect.any(String));
  });
});

const closedToWebhooks = { allowPrivateEndpoints: false, ownHosts: [] };
const openToWebhooks = { allowPrivateEndpoints: true, ownHosts: [] };

it.each(["https://example.com/hooks/assay", "https://example.com:8443/h?team=a&token=b%20c"])(
  "webhookUrlProblem() allows %s",
  (address) => {
    expect(webhookUrlProblem(address, closedToWebhooks)).toBeNull();
  },
);

it.each([
  ["http://example.com/h", "must begin with https://"],
  ["https://user:pass@example.com/h", "the signature says who calls"],
  ["https://example.com/h#top", "must not contain a fragment"],
  ["https://example.com:5432/h", "listen on another, such as 443 or 8443"],
  ["https://127.0.0.1/h?a=b", "must be a public host"],
  ["https://169.254.169.254/latest?a", "must be a public host"],
  ["https://hooks.internal/h", "must be a public host"],
  ["example.com/h", "must be an absolute URL such as https://example.com/hooks/assay"],
])("webhookUrlProblem() refuses %s", (address, reason) => {
  expect(webhookUrlProblem(address, closedToWebhooks)).toContain(reason);
});

it("webhookUrlProblem() allows local addresses if the deployment allows private ones", () => {
  expect(webhookUrlProblem("http://localhost:3000/h", openToWebhooks)).toBeNull();
  expect(webhookUrlProblem("http://169.254.169.254/h", openToWebhooks)).toContain(
    "is not a public address",
  );
});
