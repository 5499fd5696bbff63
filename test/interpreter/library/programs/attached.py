# Modules that come with a program because it names them.
import colorsys
import ipaddress
import tomllib
from ipaddress import IPv4Address, IPv6Network, ip_network as net

office = net("10.0.0.0/22")
print(office, repr(office), office.num_addresses, office.netmask, office.broadcast_address, office.is_private)
print([str(part) for part in office.subnets(new_prefix=24)])
print(IPv4Address("10.0.1.7") in office, IPv4Address("10.0.4.7") in office, office.overlaps(net("10.0.2.0/24")))
print(IPv4Address("10.0.0.1") < IPv4Address("10.0.0.2"), IPv4Address("10.0.0.1") + 5, int(IPv4Address("10.0.0.1")))
print(sorted([ipaddress.ip_address(a) for a in ["10.0.0.10", "10.0.0.9", "9.255.0.1"]]))
print(list(net("192.168.1.0/30").hosts()), net("192.168.1.0/30")[1], f"{IPv4Address('1.2.3.4'):x}")
print({IPv4Address("1.1.1.1"): "dns"}[ipaddress.ip_address("1.1.1.1")], isinstance(office, ipaddress.IPv4Network))
print(ipaddress.ip_address("2001:db8::1").exploded, IPv6Network("2001:db8::/126").num_addresses, ipaddress.ip_address("::ffff:1.2.3.4").ipv4_mapped)
print(list(ipaddress.summarize_address_range(IPv4Address("10.0.0.0"), IPv4Address("10.0.0.130"))))
print(list(ipaddress.collapse_addresses([net("10.0.0.0/25"), net("10.0.0.128/25")])), ipaddress.ip_interface("10.1.2.3/16").network)
for text in ["abc", "10.0.0.256", "10.0.0.1/8", "1:2"]:
    try:
        print(net(text))
    except ValueError as e:
        print(type(e).__name__, e)
try:
    IPv4Address("10.0.0.300")
except ipaddress.AddressValueError as e:
    print(e, isinstance(e, ValueError))

config = tomllib.loads("""
title = "x\\ty"
n = 0x1F
[owner]
born = 1979-05-27T07:32:00-08:00
day = 1979-05-27
[[points]]
x = 1.5
tags = ["a", 'b']
[[points]]
x = -inf
inline = {a.b = 1, c = true}
""")
print(config["title"], config["n"], config["owner"]["born"].isoformat(), config["owner"]["day"], config["points"])
for text in ["a = ", "a = 1\na = 2", "[x"]:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        print(e, isinstance(e, ValueError))
print(colorsys.rgb_to_hsv(0.2, 0.4, 0.4), colorsys.hls_to_rgb(0.5, 0.5, 0.25), colorsys.rgb_to_yiq(1, 0, 0))
