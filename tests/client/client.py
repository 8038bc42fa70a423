"""A whole client with Python's standard library: opens an account, follows prices, trades, and recomputes the result (R1).

python3 client.py http://127.0.0.1:8080 member1 13800138000 BTCUSDT"""
import base64, hashlib, json, os, socket, sys, urllib.request, uuid
from urllib.parse import urlsplit

url, account, phone, product = sys.argv[1:5]
cookies, token, password = {}, None, "correct horse 7"

def call(method, path, body=None, key=None):
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    if body is not None: headers["Content-Type"] = "application/json"
    if token: headers["X-CSRF-Token"] = token
    if key: headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url + "/api" + path, data, headers, method=method)) as answer:
        for cookie in answer.headers.get_all("Set-Cookie") or []:  # two: sid and device
            name, value = cookie.split(";")[0].split("=", 1)
            cookies[name] = value
        return json.load(answer)

class Socket:
    """Socket.IO over a WebSocket: a text begins with 40 to connect, 42 for an event, 43 for an answer, 2 for a ping."""
    def __init__(self):
        self.at = urlsplit(url)
        self.wire = socket.create_connection((self.at.hostname, self.at.port or 80), 60)
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self.wire.sendall((
            f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {self.at.netloc}\r\nCookie: {cookie}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n").encode())
        self.file = self.wire.makefile("rb")
        while self.file.readline().strip(): pass
        self.send("40")
        while not self.text().startswith("40"): pass  # before its answer the venue takes no events
    def send(self, text):
        data, size = text.encode(), len(text.encode())
        length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + size.to_bytes(2, "big")
        self.wire.sendall(b"\x81" + length + bytes(4) + data)  # masked with zeros
    def text(self):
        _, size = self.file.read(2)
        if size >= 126: size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
        return self.file.read(size).decode()
    def events(self):
        while True:
            text = self.text()
            if text == "2": self.send("3")
            elif text.startswith("42"): yield json.loads(text[2:])
            elif text.startswith("43"): yield ["answer", json.loads(text[text.index("["):])[0]]

form = call("POST", "/auth/register/check", {"account": account, "phone": phone, "openingCode": "UPTICK"})
secrets = {"password": password, "confirmPassword": password, "transactionPassword": "482913", "confirmTransactionPassword": "482913"}
call("POST", "/auth/register", {"registerToken": form["registerToken"], **secrets})
token = call("POST", "/auth/login", {"account": account, "password": password})["token"]
detail = call("GET", f"/products/{product}")
line = Socket()
line.send("420" + json.dumps(["subscribe", {"products": [product]}]))

order, ticks = None, 0
for name, data in line.events():
    if name == "ticks":  # [at, (ix, seq0, n, (dAt, price, size) × n) …]
        ticks += data[3]
        if order is None:
            terms = detail["durations"][0]
            body = {"productId": product, "direction": "up", "amount": "10.00", "seconds": terms["seconds"],
                    "rateBp": terms["rateBp"], "validUntil": call("GET", "/time")["now"] + 5000}
            order = call("POST", "/orders", body, str(uuid.uuid4()))
    if name == "order" and order and data["id"] == order["id"] and data["settledAt"]: order = data; break

proof = call("GET", f"/orders/{order['id']}/proof")
head = proof["before"]["hash"] if proof["before"] else hashlib.sha256(product.encode()).hexdigest()
for tick in proof["ticks"]: head = hashlib.sha256("|".join([head, product, *map(str, tick)]).encode()).hexdigest()
assert head == proof["after"]["hash"], "the chain is broken"
limit = min(order["acceptedAt"] + order["terms"]["entryTimeoutMs"], order["closeAt"])
entry = next(tick for tick in proof["ticks"] if order["acceptedAt"] < tick[1] <= limit)
exit = [tick for tick in proof["ticks"] if tick[1] <= order["closeAt"]][-1]
price = lambda tick: int(tick[2].replace(".", ""))
status = "tied" if price(exit) == price(entry) else "won" if price(exit) > price(entry) else "lost"
assert (status, entry[0], exit[0]) == (order["status"], order["entry"]["seq"], order["exit"]["seq"]), "the result is wrong"
print(json.dumps({"id": order["id"], "status": status, "pnl": order["pnl"], "ticks": ticks}))
