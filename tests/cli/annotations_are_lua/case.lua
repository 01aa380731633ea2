require "library"
print "the annotations load"
return 1
